import { plural, t } from "@lingui/core/macro";
import type { Deployment } from "./queries.ts";

const HOUR = 3_600;
const MINUTE = 60;
const DAY = 86_400;

/** Formats seconds, such as `90 s`, `5 min`, `1 h` or `2 days`; other lengths in minutes. */
export function lengthOf(seconds: number): string {
  if (seconds < 2 * MINUTE && seconds % MINUTE !== 0) return t`${seconds} s`;
  if (seconds >= 2 * DAY && seconds % DAY === 0) return plural(seconds / DAY, { one: "# day", other: "# days" });
  if (seconds % HOUR === 0) return t`${seconds / HOUR} h`;
  return t`${Number((seconds / MINUTE).toFixed(1))} min`;
}

type Scaling = Pick<Deployment, "min_replicas" | "max_replicas" | "scale_to_zero_after_s" | "autoscale">;

/** Describes the scaling, such as `1 to 4, one for 4 requests at a time`. */
export function scalingText({ min_replicas: min, max_replicas: max, autoscale: { target } }: Scaling): string {
  if (min === max) return t`always ${max}`;
  const by = plural(target, { one: "one for # request at a time", other: "one for # requests at a time" });
  // With at most one replica there is only sleeping and waking, no scaling.
  return max <= 1 ? t`up to ${max}` : t`${min} to ${max}, ${by}`;
}

/** Describes when a deployment sleeps. */
export function sleepText({ min_replicas: min, scale_to_zero_after_s: after }: Scaling): string {
  return min > 0 || after === null ? t`never` : t`after ${lengthOf(after)} without a request`;
}
