import { expect, test } from "vitest";
import { fortnightQuery, toWeek } from "./week.ts";

const NOW = new Date("2026-11-21T23:30:00Z");
const row = (day: string, request_count: number, error_count = 0, cost_nano_usd = "0") => ({
  group: { day },
  request_count,
  error_count,
  input_tokens: 2 * request_count,
  output_tokens: request_count,
  cost_nano_usd,
});

test("a week has its seven days with today, also those without requests, and what the seven before sum up to", () => {
  const week = toWeek(
    {
      items: [
        row("2026-11-21", 10, 1, "5000"),
        row("2026-11-15", 4, 0, "1000"),
        row("2026-11-14", 7, 7, "300"),
        row("2026-11-08", 2, 0, "20"),
        row("2026-11-07", 1000, 1000, "1000"),
      ],
    },
    NOW,
  );
  expect(week.days.map(({ day }) => day)).toEqual([
    "2026-11-15",
    "2026-11-16",
    "2026-11-17",
    "2026-11-18",
    "2026-11-19",
    "2026-11-20",
    "2026-11-21",
  ]);
  expect(week.days[0]).toEqual({ day: "2026-11-15", requests: 4, errors: 0, tokens: 12, costNanoUsd: 1000 });
  expect(week.days[1]).toEqual({ day: "2026-11-16", requests: 0, errors: 0, tokens: 0, costNanoUsd: 0 });
  expect(week.total).toEqual({ requests: 14, errors: 1, tokens: 42, costNanoUsd: 6000 });
  expect(week.before).toEqual({ requests: 9, errors: 7, tokens: 27, costNanoUsd: 320 });
});

test("a week without requests has days of zero", () => {
  const { days, total, before } = toWeek({ items: [] }, NOW);
  expect(days).toHaveLength(7);
  expect(total).toEqual({ requests: 0, errors: 0, tokens: 0, costNanoUsd: 0 });
  expect(before).toEqual(total);
});

test("the report is asked for from the start of a day, so that all of a day share one answer", () => {
  const keys = ["2026-11-21T00:00:00Z", "2026-11-21T23:59:59Z", "2026-11-22T00:00:00Z"].map((time) =>
    JSON.stringify(fortnightQuery(new Date(time)).queryKey),
  );
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(keys[0]).toContain(String(Date.parse("2026-11-08T00:00:00Z") / 1000));
});
