import { type AnyCommand, entry } from "../../command.ts";
import { api } from "./request.ts";

/** The commands of `api`. */
export const commands: readonly AnyCommand[] = [entry(api)];
