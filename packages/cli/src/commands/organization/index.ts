import { type AnyCommand, defineCommand } from "../../command.ts";
import { organizationSet } from "./set.ts";
import { organizationShow } from "./show.ts";

/** The commands of `organization`. */
export const commands: readonly AnyCommand[] = [defineCommand(organizationShow), defineCommand(organizationSet)];
