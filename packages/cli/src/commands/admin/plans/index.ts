import { type AnyCommand, defineCommand } from "../../../command.ts";
import { plansList } from "./list.ts";
import { plansSubscribers } from "./subscribers.ts";

/** The commands of `admin plans`. */
export const commands: readonly AnyCommand[] = [defineCommand(plansList), defineCommand(plansSubscribers)];
