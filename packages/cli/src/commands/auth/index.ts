import { type AnyCommand, defineCommand } from "../../command.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { whoami } from "./whoami.ts";

/** The commands of `login`, `logout` and `whoami`. */
export const commands: readonly AnyCommand[] = [defineCommand(login), defineCommand(logout), defineCommand(whoami)];
