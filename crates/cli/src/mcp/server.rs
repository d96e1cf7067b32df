//! What the library asks of a server: who it is, which tools it has, and what they answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use super::hall::Hall;
use super::tools::{self, Tool};
use super::{Terms, instructions};

/// A session.
#[derive(Debug)]
pub(super) struct Server {
    terms: Terms,
    hall: Mutex<Hall>,
}

impl Server {
    /// Without a game.
    pub(super) fn new(terms: Terms) -> Self {
        Server { terms, hall: Mutex::new(Hall::new(terms)) }
    }

    /// Whoever asks gets an answer, even where a game breaks a promise of ours: a client without one waits for ever,
    /// and the other games are not to blame.
    fn call(&self, tool: &Tool, given: &JsonObject) -> Result<CallToolResult, ErrorData> {
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let mut hall = self.hall.lock().unwrap_or_else(PoisonError::into_inner);
            tool.call(&mut hall, given)
        }));
        match answered {
            Ok(Ok(answer)) => Ok(answer.into()),
            Ok(Err(refused)) => Ok(refused.into()),
            Err(_) => Err(ErrorData::internal_error("the tool has failed; other games go on", None)),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("tabiya", env!("CARGO_PKG_VERSION"))
            .with_title("Tabiya")
            .with_description(env!("CARGO_PKG_DESCRIPTION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(instructions::text(self.terms))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(self.terms).map(Tool::offer).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool =
            tools::find(self.terms, &request.name).map_err(|why| ErrorData::invalid_params(why, None))?;
        Ok(self.call(tool, &request.arguments.unwrap_or_default())?.into())
    }

    /// What the library does not know by its form: another method, or a known one with parameters that do not fit it.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = crate::text::clip(&request.method, 40);
        Err(match &*method {
            "initialize" | "tools/call" | "tools/list" => {
                ErrorData::invalid_params(format!("the parameters of {method} do not have its form"), None)
            }
            _ => {
                let why = format!("there is no method `{method}`");
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
            }
        })
    }
}
