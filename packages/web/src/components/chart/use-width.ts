import { type RefObject, useLayoutEffect, useState } from "react";

/** Assumed until the element is measured, in pixels. */
const DEFAULT_WIDTH = 640;

/** Returns the width of an element in pixels, which changes with the window. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(DEFAULT_WIDTH);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(current.clientWidth || DEFAULT_WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
