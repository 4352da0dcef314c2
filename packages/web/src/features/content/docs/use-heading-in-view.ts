import type { Heading } from "@feather/markdown/content-node";
import { useEffect, useState } from "react";

const TOP_BAR_HEIGHT_PX = 96;

/** Returns the id of the heading being read, for the table of contents; null before the first measurement. */
export function useHeadingInView(headings: readonly Heading[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    let frame = 0;
    function update(): void {
      frame = 0;
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const passedHeadings = headings.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top <= TOP_BAR_HEIGHT_PX;
      });
      setCurrent((atEnd && window.scrollY > 0 ? headings.at(-1) : (passedHeadings.at(-1) ?? headings[0]))?.id ?? null);
    }
    const scheduleUpdate = () => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    update();
    window.addEventListener("scroll", scheduleUpdate, { passive: true });
    return () => {
      window.removeEventListener("scroll", scheduleUpdate);
      cancelAnimationFrame(frame);
    };
  }, [headings]);
  return current;
}
