import type { components } from "@feather/openapi/schema";
import type { ToolCallRow } from "./tool-calls.repository.ts";
import type { ToolServerDetails } from "./tool-servers.repository.ts";

type ToolServerDto = components["schemas"]["ToolServer"];
type ToolCallRecordDto = components["schemas"]["ToolCallRecord"];

/** Returns a server of tools for those who manage it, without its secret. */
export function toToolServerDto(row: ToolServerDetails): ToolServerDto {
  const { name, url, header_name, sealed_secret, allowed_tools, is_enabled, created_by_name, updated_at } = row;
  return {
    ...{ name, url, header_name, allowed_tools, is_enabled, created_by_name },
    is_secret_set: sealed_secret !== null,
    updated_at: updated_at.toISOString(),
  };
}

/** Returns what is kept of a call to a tool. */
export function toToolCallRecordDto(row: ToolCallRow): ToolCallRecordDto {
  const { id, server, tool, user_id, api_key_id, outcome, started_at, duration_ms } = row;
  return {
    ...{ id, server, tool, user_id, api_key_id, duration_ms },
    outcome: outcome as ToolCallRecordDto["outcome"], // the table checks it
    started_at: started_at.toISOString(),
  };
}
