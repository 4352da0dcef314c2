import { type AnyCommand, entry } from "../../command.ts";
import { couponsApply } from "./apply.ts";
import { couponsCheck } from "./check.ts";
import { couponsRemove } from "./remove.ts";

/** The commands of `coupons`. */
export const commands: readonly AnyCommand[] = [entry(couponsCheck), entry(couponsApply), entry(couponsRemove)];
