import type { Concurrency } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import { sanitizeLine } from "../../output/sanitize.ts";
import { drawBarbs, type Style } from "../../output/style.ts";
import { formatDuration } from "../../output/time.ts";
import { formatTokenRate } from "../../views/live-usage.ts";

/** For each unit of the plan, the id of the request that holds it; null for free units. */
export type Lanes = readonly (string | null)[];

const LANE_WIDTH = 8;

/** Returns the lanes after a change: requests keep their lanes, and new ones get the first free ones. */
export function assignLanes(before: Lanes, { limit, used_cost: used, requests }: Concurrency): Lanes {
  const needed = requests.reduce((sum, { cost }) => sum + cost, 0);
  const lanes: (string | null)[] = Array.from({ length: Math.max(limit ?? 0, used, needed) }, () => null);
  const remaining = new Map(requests.map(({ id, cost }) => [id, cost]));
  const hold = (lane: number, id: string) => {
    lanes[lane] = id;
    remaining.set(id, (remaining.get(id) ?? 0) - 1);
  };
  before.slice(0, lanes.length).forEach((id, lane) => {
    if (id !== null && (remaining.get(id) ?? 0) > 0) hold(lane, id);
  });
  for (const { id } of requests)
    while ((remaining.get(id) ?? 0) > 0) {
      const free = lanes.indexOf(null);
      if (free === -1) break;
      hold(free, id);
    }
  return lanes;
}

/**
 * Returns a line for each unit, at most `rows`:
 *
 *     1 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B  12 s  62/s
 *     2 ▰▰▰▰▰▰▰▰  Qwen/Qwen3-32B
 *     3 ▱▱▱▱▱▱▱▱
 */
export function formatLanes(
  lanes: Lanes,
  requests: Concurrency["requests"],
  now: Date,
  rows: number,
  style: Style,
): readonly string[] {
  const running = new Map(requests.map((request) => [request.id, request]));
  const numberWidth = String(lanes.length).length;
  const format = (id: string | null, lane: number): string => {
    const request = id === null ? undefined : running.get(id);
    const number = style.dim(String(lane + 1).padStart(numberWidth));
    const bar = drawBarbs(id === null ? 0 : LANE_WIDTH, LANE_WIDTH, style.unicode);
    if (request === undefined) return `${number} ${id === null ? style.dim(bar) : style.accent(bar)}`;
    const isFirst = lanes.indexOf(id) === lane;
    const model = sanitizeLine(request.model);
    const rate = request.tokens_per_second === null ? [] : [formatTokenRate(request.tokens_per_second)];
    const elapsed = formatDuration(now.getTime() - request.started_at.getTime());
    return `${number} ${style.accent(bar)}  ${isFirst ? [style.bold(model), elapsed, ...rate].join("  ") : style.dim(model)}`;
  };
  if (lanes.length <= rows) return lanes.map(format);
  const visible = Math.max(0, rows - 1);
  const hidden = lanes.slice(visible);
  const inUse = hidden.filter((id) => id !== null).length;
  const more = `and ${formatCount(hidden.length)} more units, ${formatCount(inUse)} of them in use`;
  return [...lanes.slice(0, visible).map(format), style.dim(more)];
}
