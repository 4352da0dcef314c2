import { type AnyCommand, defineCommand } from "../../command.ts";
import { subscriptionCancel } from "./cancel.ts";
import { subscriptionChange } from "./change.ts";
import { subscriptionCurrencies } from "./currencies.ts";
import { subscriptionPlans } from "./plans.ts";
import { subscriptionPreview } from "./preview.ts";
import { subscriptionResume } from "./resume.ts";
import { subscriptionShow } from "./show.ts";

/** The commands of `subscription`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(subscriptionShow),
  defineCommand(subscriptionPlans),
  defineCommand(subscriptionCurrencies),
  defineCommand(subscriptionPreview),
  defineCommand(subscriptionChange),
  defineCommand(subscriptionCancel),
  defineCommand(subscriptionResume),
];
