import { type AnyCommand, defineCommand } from "../../command.ts";
import { organizationAudit } from "./audit.ts";
import { organizationBilling } from "./billing.ts";
import { organizationList } from "./list.ts";
import { organizationSet } from "./set.ts";
import { organizationSetBilling } from "./set-billing.ts";
import { organizationShow } from "./show.ts";
import { organizationSwitch } from "./switch.ts";

/** The commands of `organization`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(organizationList),
  defineCommand(organizationShow),
  defineCommand(organizationSwitch),
  defineCommand(organizationSet),
  defineCommand(organizationBilling),
  defineCommand(organizationSetBilling),
  defineCommand(organizationAudit),
];
