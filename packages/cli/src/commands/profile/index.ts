import { type AnyCommand, entry } from "../../command.ts";
import { profileList } from "./list.ts";
import { profileRemove } from "./remove.ts";
import { profileUse } from "./use.ts";

/** The commands of `profile`. */
export const commands: readonly AnyCommand[] = [entry(profileList), entry(profileUse), entry(profileRemove)];
