//! Names that almost every check uses.

pub(super) use super::common;
pub(super) use super::names::NameKind;
pub(super) use super::view::View;
pub(super) use crate::code::Code;
pub(super) use crate::diagnostic::Diagnostics;
pub(super) use crate::limits;
pub(super) use crate::place::{At, Place};
pub(super) use crate::read::shorten;
