import type { Argument } from "../../command-line.ts";

/** The argument of commands for one chat. */
export const CHAT_ARGUMENT: Argument = { name: "<id>", summary: "id of the chat, from feather chats list" };
