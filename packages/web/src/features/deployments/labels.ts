import type { Deployment } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";

const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Formats seconds, such as `90 s`, `5 min`, `1 h` or `2 days`; other lengths in minutes. */
export function formatDuration(seconds: number): string {
  if (seconds < 2 * MINUTE_SECONDS && seconds % MINUTE_SECONDS !== 0) return t`${seconds} s`;
  if (seconds >= 2 * DAY_SECONDS && seconds % DAY_SECONDS === 0)
    return plural(seconds / DAY_SECONDS, { one: "# day", other: "# days" });
  if (seconds % HOUR_SECONDS === 0) return t`${seconds / HOUR_SECONDS} h`;
  return t`${Number((seconds / MINUTE_SECONDS).toFixed(1))} min`;
}

type Scaling = Pick<Deployment, "min_replicas" | "max_replicas" | "scale_to_zero_after_s" | "autoscale">;

/** Describes the scaling, such as `1 to 4, one for 4 requests at a time`. */
export function formatScaling({ min_replicas: min, max_replicas: max, autoscale: { target } }: Scaling): string {
  if (min === max) return t`always ${max}`;
  const stepText = plural(target, { one: "one for # request at a time", other: "one for # requests at a time" });
  // With at most one replica there is only sleeping and waking, no scaling.
  return max <= 1 ? t`up to ${max}` : t`${min} to ${max}, ${stepText}`;
}

/** Describes when a deployment sleeps. */
export function formatSleep({ min_replicas: min, scale_to_zero_after_s: idleSeconds }: Scaling): string {
  return min > 0 || idleSeconds === null ? t`never` : t`after ${formatDuration(idleSeconds)} without a request`;
}
