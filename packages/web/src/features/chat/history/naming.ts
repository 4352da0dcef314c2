import type { Conversation } from "../conversation/types.ts";

/** What gets a name: a conversation, a new folder for one, or a folder. */
export type Naming =
  | { kind: "chat"; conversation: Conversation }
  | { kind: "new-folder"; conversation: Conversation }
  | { kind: "folder"; folder: string };
