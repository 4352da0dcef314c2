import { type AnyCommand, entry } from "../../command.ts";
import { api } from "./request.ts";

export const commands: readonly AnyCommand[] = [entry(api)];
