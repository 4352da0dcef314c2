import { type AnyCommand, entry } from "../../command.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { whoami } from "./whoami.ts";

export const commands: readonly AnyCommand[] = [entry(login), entry(logout), entry(whoami)];
