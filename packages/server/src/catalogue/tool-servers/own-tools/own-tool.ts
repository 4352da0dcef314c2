import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { SendOwnRequest } from "./own-requests.ts";

/** What a call of one of this server's own tools works with. */
export type OwnCall = {
  /** The organization that calls, which has one page read at a time. */
  account: string;
  /** Sends a request to this server as the caller. */
  send: SendOwnRequest;
  /** Ends the work. */
  signal: AbortSignal;
};

/** A tool of this server itself. */
export type OwnTool = {
  name: string;
  title: string;
  description: string;
  /** The scope that the caller needs for what the tool does. */
  scope: string | null;
  /** Whether it can be called twice without another effect than once, and changes nothing. */
  isReadOnly: boolean;
  /** Whether it works with more than this server. */
  isOpenWorld: boolean;
  arguments: z.ZodObject;
  /** Does the work with arguments that the schema has checked. Throws `ToolFailure` for a failure that the caller should read. */
  run(given: Record<string, unknown>, call: OwnCall): Promise<CallToolResult>;
};

/** Defines a tool, whose `run` gets the arguments with the types of its schema. */
export function defineTool<Shape extends z.ZodObject>(
  tool: Omit<OwnTool, "arguments" | "run"> & {
    arguments: Shape;
    run(given: z.infer<Shape>, call: OwnCall): Promise<CallToolResult>;
  },
): OwnTool {
  // `callOwnTool` has checked the arguments with this schema.
  return { ...tool, run: (given, call) => tool.run(given as z.infer<Shape>, call) };
}

/** Returns how MCP describes a tool. */
export function toMcpTool({ name, title, description, isReadOnly, isOpenWorld, arguments: schema }: OwnTool): Tool {
  return {
    ...{ name, title, description },
    inputSchema: z.toJSONSchema(schema) as Tool["inputSchema"], // an object, since the schema is one
    annotations: {
      readOnlyHint: isReadOnly,
      openWorldHint: isOpenWorld,
      ...(!isReadOnly && { destructiveHint: false }),
    },
  };
}

/** Returns whether the caller may do what a tool does. */
export const isForCaller = ({ scope }: OwnTool, { scopes }: SignedInActor): boolean =>
  scope === null || scopes.includes(scope);

/** Returns an answer of one text. */
export const toTextResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

/** Returns an answer of an object, as MCP asks for it: also as text, for programs that do not read objects. */
export const toObjectResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});
