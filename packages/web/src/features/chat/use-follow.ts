import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 80;

/**
 * Keeps the end in view while content grows, unless the user has scrolled away. Scrolls to the end when `resetKey`
 * changes, such as with another conversation or question; null disables it.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  at: string | null,
) {
  const following = useRef(at !== null);
  const [away, setAway] = useState(false);
  const toEnd = useCallback(() => {
    const { current } = scroller;
    if (!current) return;
    following.current = true;
    setAway(false);
    current.scrollTop = current.scrollHeight;
  }, [scroller]);

  useEffect(() => {
    following.current = at !== null;
    setAway(false);
    if (at !== null) toEnd();
  }, [at, toEnd]);

  useEffect(() => {
    const { current: outer } = scroller;
    const { current: inner } = content;
    if (!outer || !inner) return;
    let height = outer.scrollHeight;
    // Content may have grown or shrunk since the last event: near the end by either height counts.
    const isNear = () => Math.min(height, outer.scrollHeight) - outer.scrollTop - outer.clientHeight < NEAR;
    const onScroll = () => {
      const near = isNear();
      height = outer.scrollHeight;
      if (at === null) return;
      following.current = near;
      setAway(!near);
    };
    const observer = new ResizeObserver(() => {
      height = outer.scrollHeight;
      if (following.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(outer);
    outer.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener("scroll", onScroll);
    };
  }, [scroller, content, at]);

  return { away, toEnd };
}
