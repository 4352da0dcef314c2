import { nice, ticks } from "d3-array";
import { stack } from "d3-shape";
import { timeTicks, utcTicks } from "d3-time";
import { DAY_MS, HOUR_MS } from "#/lib/time.ts";
import { type ChartData, getMaxValue } from "./chart-data.ts";
import { formatSliceTime, formatTimeTick, isDaySlice, isMonthSlice } from "./slice-time.ts";

/** A mark of an axis, in pixels from the left or the top. */
export type Tick = { position: number; label: string };
/** A part of a stacked bar, in pixels from the top. */
export type Segment = { series: number; y: number; height: number };
/** Where everything in a chart is, in pixels. */
export type ChartLayout = {
  width: number;
  height: number;
  /** The sides of the area in which values are drawn. */
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The width of a slice. */
  step: number;
  /** The middle of each slice. */
  centers: readonly number[];
  valueTicks: readonly Tick[];
  timeTicks: readonly Tick[];
  toY(value: number): number;
};

/** How much room a chart has, in pixels, and how much it says: a small chart has fewer marks. */
export type ChartSpace = { width: number; height: number; isRightToLeft: boolean; isSmall: boolean };

/**
 * Half of a time's label fits at the sides of the outermost marks, and half of a value's label above the highest line.
 */
const SIDE_MARGIN = 18;
const TOP_MARGIN = 8;
const BOTTOM_MARGIN = 22;
/** The width of a digit of an axis, and the room that a time's label needs. */
const DIGIT_WIDTH = 7;
const TIME_LABEL_WIDTH = 72;

/** Returns where the parts of a chart are. Time runs in the direction of reading. */
export function createLayout(chart: ChartData, { width, height, isRightToLeft, isSmall }: ChartSpace): ChartLayout {
  const top = TOP_MARGIN;
  const bottom = height - BOTTOM_MARGIN;
  const tickCount = isSmall ? 2 : 4;
  const maxValue = roundUpMax(chart, tickCount);
  const toY = (value: number) => bottom - (value / maxValue) * (bottom - top);
  const values = ticks(0, maxValue, tickCount)
    .filter((value) => !chart.isCount || Number.isInteger(value))
    .map((value) => ({ position: toY(value), label: (chart.formatTick ?? chart.format)(value) }));
  const labelsWidth = DIGIT_WIDTH * Math.max(2, ...values.map(({ label }) => label.length)) + 6;
  const left = isRightToLeft ? SIDE_MARGIN : labelsWidth;
  const right = width - (isRightToLeft ? labelsWidth : SIDE_MARGIN);
  const [first] = chart.slices;
  const createScale = first && isMonthSlice(first) ? createMonthScale : createTimeScale;
  const times = createScale(chart, isRightToLeft ? [right, left] : [left, right]);
  return { width, height, left, right, top, bottom, valueTicks: values, toY, ...times };
}

/** Returns a round value that neither a value nor the limit exceeds. */
function roundUpMax(chart: ChartData, tickCount: number): number {
  const max = Math.max(getMaxValue(chart), chart.limit?.value ?? 0) || 1;
  return nice(0, max, tickCount)[1];
}

/** Months are of different lengths, but their bars are not. */
function createMonthScale({ slices }: ChartData, [start, end]: [number, number]) {
  const width = (end - start) / Math.max(1, slices.length);
  const centers = slices.map((_, index) => start + (index + 0.5) * width);
  const marks = slices.map((slice, index) => ({ position: centers[index] ?? 0, label: formatSliceTime(slice) }));
  const maxTicks = Math.max(2, Math.floor(Math.abs(end - start) / TIME_LABEL_WIDTH));
  return { step: Math.abs(width), centers, timeTicks: thinOut(marks, maxTicks) };
}

/** Days are labelled in their middle; hours where they begin, since a round hour need not be the start of a slice. */
function createTimeScale({ slices }: ChartData, [start, end]: [number, number]) {
  const times = slices.map(({ at }) => Date.parse(at));
  const [first = 0, second] = times;
  const isDay = slices[0] !== undefined && isDaySlice(slices[0]);
  const length = second === undefined ? (isDay ? DAY_MS : HOUR_MS) : second - first;
  const last = first + length * Math.max(1, slices.length);
  const toX = (time: number) => start + ((time - first) / (last - first)) * (end - start);
  const half = (toX(first + length) - start) / 2;
  const maxTicks = Math.max(2, Math.floor(Math.abs(end - start) / TIME_LABEL_WIDTH));
  const known = new Set(times);
  const marks = (isDay ? utcTicks : timeTicks)(new Date(first), new Date(last), Math.min(maxTicks, slices.length || 1))
    .filter((time) => !isDay || known.has(time.getTime()))
    .map((time) => ({ position: toX(time.getTime()) + (isDay ? half : 0), label: formatTimeTick(time, isDay) }));
  return {
    step: Math.abs(2 * half),
    centers: times.map((time) => toX(time) + half),
    timeTicks: thinOut(marks, maxTicks),
  };
}

/** d3 may give more marks than were asked for. */
function thinOut(ticks: readonly Tick[], max: number): readonly Tick[] {
  const every = Math.max(1, Math.ceil(ticks.length / max));
  return ticks.filter((_, index) => index % every === 0);
}

/** Returns the segments of each bar, from the bottom. */
export function stackBars({ series, slices }: ChartData, toY: (value: number) => number): Segment[][] {
  const layers = stack<(typeof slices)[number], number>()
    .keys(series.map((_, index) => index))
    .value(({ values }, index) => values[index] ?? 0)([...slices]);
  return slices.map((_, slice) =>
    layers.map((layer, index) => {
      const [from = 0, to = 0] = layer[slice] ?? [];
      return { series: index, y: toY(to), height: toY(from) - toY(to) };
    }),
  );
}
