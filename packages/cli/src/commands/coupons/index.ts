import { type AnyCommand, defineCommand } from "../../command.ts";
import { couponsApply } from "./apply.ts";
import { couponsCheck } from "./check.ts";
import { couponsRemove } from "./remove.ts";

/** The commands of `coupons`. */
export const commands: readonly AnyCommand[] = [
  defineCommand(couponsCheck),
  defineCommand(couponsApply),
  defineCommand(couponsRemove),
];
