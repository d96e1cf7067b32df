//! Lists of conditions that conditions contain.
//!
//! Conditions can be nested; the reader limits the depth, so that recursive functions cannot overflow the stack.

use std::ops::Deref;

use jsonc_parser::ast::Value as Json;

use super::Condition;
use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::place::{At, Place};
use crate::read::Read;

/// Conditions, all of which must hold.
#[derive(Clone, Debug)]
pub struct Nested<T>(Vec<At<T>>);

/// Conditions of a move, all of which must hold.
pub type Conditions = Nested<Condition>;

impl<T> Default for Nested<T> {
    fn default() -> Self {
        Nested(Vec::new())
    }
}

impl<T> Deref for Nested<T> {
    type Target = [At<T>];
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Read> Read for Nested<T> {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        if diags.places().nesting(at, "of") > limits::NESTING {
            let message = format!("Conditions are nested more than {} deep.", limits::NESTING);
            diags.report_with_help(Code::TooDeep, at, message, "use fewer nested conditions");
            return (Nested(Vec::new()), false);
        }
        let (list, whole) = Read::read(json, at, diags);
        (Nested(list), whole)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Nested<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Nested{}", T::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<At<T>>::json_schema(generator)
    }
}
