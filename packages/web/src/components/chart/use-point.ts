import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { ChartLayout } from "./layout.ts";

/** What `usePoint` returns: the slice that is pointed at, and the handlers that follow pointer and keyboard. */
export type Point = {
  /** Null while nothing is pointed at. */
  index: number | null;
  onPointerMove(event: PointerEvent<HTMLElement>): void;
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  onPointerLeave(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  onFocus(): void;
  onBlur(): void;
};

/** Lets a reader point at the slices of a chart, with a pointer or the arrow keys. */
export function usePoint({ centers, step }: ChartLayout, isRightToLeft: boolean): Point {
  const [index, setIndex] = useState<number | null>(null);
  const last = centers.length - 1;
  const clamp = (value: number) => Math.min(last, Math.max(0, value));
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left;
    const slices = (x - (centers[0] ?? 0)) / (isRightToLeft ? -step : step);
    setIndex(clamp(Math.round(slices)));
  };
  return {
    index: index === null ? null : clamp(index),
    onPointerMove: follow,
    onPointerDown: follow,
    onPointerLeave: () => setIndex(null),
    onKeyDown(event) {
      const next = moveFrom(index ?? last, event.key, { last, isRightToLeft });
      if (event.key === "Escape") setIndex(null);
      if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      setIndex(clamp(next));
    },
    // A click has set the slice already.
    onFocus: () => setIndex((before) => before ?? last),
    onBlur: () => setIndex(null),
  };
}

/** Returns the slice to which a key moves, or null for a key that does not move; it may be beyond the chart. */
function moveFrom(index: number, key: string, { last, isRightToLeft }: { last: number; isRightToLeft: boolean }) {
  const page = Math.ceil(last / 10);
  const right = isRightToLeft ? -1 : 1;
  switch (key) {
    case "ArrowRight":
      return index + right;
    case "ArrowLeft":
      return index - right;
    case "ArrowUp":
      return index + 1;
    case "ArrowDown":
      return index - 1;
    case "PageUp":
      return index + page;
    case "PageDown":
      return index - page;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
