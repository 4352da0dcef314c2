import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { i18n } from "#/i18n/runtime.ts";
import { Chart } from "./chart.tsx";
import type { ChartData } from "./chart-data.ts";
import { ChartFigure } from "./chart-figure.tsx";

afterEach(() => {
  cleanup();
  i18n.activate("en");
});

const CHART: ChartData = {
  kind: "bars",
  series: [
    { id: "a", name: "production", total: "40" },
    { id: "b", name: "ci" },
  ],
  more: ["Requests"],
  slices: [
    { at: "2026-11-19", values: [10, 20], more: [3] },
    { at: "2026-11-20", values: [0, 0], more: [0] },
    { at: "2026-11-21", values: [30, null], more: [1] },
  ],
  format: (value) => `${value} tokens`,
};
const showFigure = (more: Partial<ChartData> = {}) =>
  render(<ChartFigure chart={{ ...CHART, ...more }} label="Tokens by key" emptyText="Nothing yet." />);
const findPlot = () => screen.findByRole("slider", { name: "Tokens by key, over time" });

test("arrow keys move over the slices, and each is announced with its figures", async () => {
  showFigure();
  const plot = await findPlot();
  await userEvent.tab();
  expect(document.activeElement).toBe(plot);
  expect(plot.getAttribute("aria-valuetext")).toBe("21 Nov: production 30 tokens, ci –, Requests 1");
  await userEvent.keyboard("{ArrowLeft}");
  expect(plot.getAttribute("aria-valuetext")).toBe("20 Nov: production 0 tokens, ci 0 tokens");
  await userEvent.keyboard("{Home}");
  expect(plot.getAttribute("aria-valuetext")).toBe("19 Nov: production 10 tokens, ci 20 tokens, Requests 3");
  await userEvent.keyboard("{ArrowLeft}");
  expect(plot.getAttribute("aria-valuenow")).toBe("0");
  await userEvent.keyboard("{End}");
  expect(plot.getAttribute("aria-valuenow")).toBe("2");
});

test("time runs to the left where text does, for the arrow keys too", async () => {
  i18n.loadAndActivate({ locale: "ar", messages: {} });
  showFigure();
  const plot = await findPlot();
  await userEvent.tab();
  await userEvent.keyboard("{ArrowRight}");
  expect(plot.getAttribute("aria-valuenow")).toBe("1");
  await userEvent.keyboard("{ArrowLeft}");
  expect(plot.getAttribute("aria-valuenow")).toBe("2");
});

test("a chart shows the figures of the slice that is pointed at, and hides them when the pointer leaves", async () => {
  render(<Chart chart={{ ...CHART, formatTick: String }} label="Tokens by key" />);
  const plot = await findPlot();
  await userEvent.pointer({ target: plot, coords: { clientX: 0, clientY: 10 } });
  expect(screen.getByText("20 tokens")).toBeTruthy();
  await userEvent.unhover(plot);
  expect(screen.queryByText("20 tokens")).toBeNull();
});

test("names its series with their totals, and the limit", async () => {
  showFigure({ limit: { value: 50, name: "plan's limit" } });
  await findPlot();
  expect(screen.getByText("40")).toBeTruthy();
  expect(screen.getByText("plan's limit: 50 tokens")).toBeTruthy();
});

test("a chart has its figures as a table, latest first, on request", async () => {
  showFigure();
  await userEvent.click(screen.getByText("As a table"));
  expect(screen.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "TimeproductionciRequests",
    "21 Nov30 tokens–1",
    "19 Nov10 tokens20 tokens3",
  ]);
});

test("a chart without data says what it would show", () => {
  showFigure({ slices: [{ at: "2026-11-21", values: [0, 0], more: [0] }] });
  expect(screen.getByText("Nothing yet.")).toBeTruthy();
  expect(screen.queryByRole("slider")).toBeNull();
  expect(screen.queryByText("As a table")).toBeNull();
});

test("a chart says in which time zone its times are", () => {
  showFigure();
  expect(screen.getByText("Days are in UTC")).toBeTruthy();
  cleanup();
  showFigure({ slices: [{ at: "2026-11-21T14:00:00Z", values: [1, 1], more: [] }] });
  expect(screen.getByText(`Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone}`)).toBeTruthy();
});

test("a line breaks where nothing was measured, and a single value is a dot", async () => {
  const { container } = render(
    <Chart
      chart={{
        ...CHART,
        kind: "lines",
        series: [{ id: "a", name: "speed" }],
        slices: [5, 6, null, 7].map((value, index) => ({ at: `2026-11-2${index}`, values: [value], more: [] })),
      }}
      label="Tokens by key"
    />,
  );
  await findPlot();
  const [area, line] = [...container.querySelectorAll("path")];
  expect(area?.getAttribute("d")).toBeTruthy();
  expect(line?.getAttribute("d")?.match(/M/g)).toHaveLength(2);
  expect(container.querySelectorAll("circle")).toHaveLength(1);
});

test("a measured zero has a mark, unlike what was not measured", async () => {
  const one = { series: [{ id: "a", name: "failed" }], more: [] };
  const slices = [0, null, 2].map((value, index) => ({ at: `2026-11-2${index}`, values: [value], more: [] }));
  const { container } = render(<Chart chart={{ ...CHART, ...one, slices }} label="Tokens by key" />);
  await findPlot();
  expect(container.querySelectorAll("rect")).toHaveLength(2);
});
