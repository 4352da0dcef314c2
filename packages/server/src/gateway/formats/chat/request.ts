import { errors } from "../../../platform/core/errors/index.ts";
import { keepAllowedTools } from "../allowed-tools.ts";
import { requireArray, requireObject, requireString, toRecord } from "../fields.ts";
import type { CallBody, ParsedRequest } from "../parsed-request.ts";
import { createChatFormat } from "./format.ts";

/** Fields from before tools, and the fields that replace them. */
const REPLACED_FIELDS: Readonly<Record<string, string>> = { functions: "tools", function_call: "tool_choice" };

/**
 * Reads a request for a chat completion, which backends accept unchanged. Throws `unsupported_parameter` and
 * `invalid_request`.
 */
export function readChatRequest(body: CallBody, requestId: string): ParsedRequest {
  refuseState(body);
  refuseOldFields(body);
  const { store: _, ...others } = body;
  return { kind: "chat", body: withAllowedTools(others), ignored: [], format: createChatFormat(body, requestId) };
}

function refuseState({ store }: CallBody): void {
  if (store !== true) return;
  throw errors.unsupportedParameter("store needs answers that are kept, and none are kept here. Send store: false.", {
    param: "store",
  });
}

function refuseOldFields(body: CallBody): void {
  for (const [name, newName] of Object.entries(REPLACED_FIELDS)) {
    const value = body[name];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    throw errors.unsupportedParameter(`${name} is the form from before tools. Send ${newName}.`, { param: name });
  }
}

/** Replaces `allowed_tools`, which backends do not know, by sending them only the allowed tools. */
function withAllowedTools(body: CallBody): CallBody {
  const choice = toRecord(body.tool_choice);
  if (choice.type !== "allowed_tools") return body;
  const path = "tool_choice.allowed_tools";
  const { mode, tools } = requireObject(choice.allowed_tools, path);
  const names = requireArray(tools, `${path}.tools`).map((tool, at) => {
    const { function: allowed } = requireObject(tool, `${path}.tools[${at}]`);
    return requireString(toRecord(allowed).name, `${path}.tools[${at}].function.name`);
  });
  const offered = Array.isArray(body.tools) ? body.tools : [];
  return { ...body, tools: keepAllowedTools(offered, names, `${path}.tools`), tool_choice: mode ?? "auto" };
}
