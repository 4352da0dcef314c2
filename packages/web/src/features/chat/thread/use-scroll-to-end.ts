import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR_END_PX = 80;

/**
 * Keeps the end in view while content grows, unless the user has scrolled away. Scrolls to the end when `resetKey`
 * changes, such as with another conversation or question; null disables it.
 */
export function useScrollToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  resetKey: string | null,
) {
  const isFollowing = useRef(resetKey !== null);
  const [isScrolledAway, setScrolledAway] = useState(false);
  const scrollToEnd = useCallback(() => {
    const { current } = scroller;
    if (!current) return;
    isFollowing.current = true;
    setScrolledAway(false);
    current.scrollTop = current.scrollHeight;
  }, [scroller]);

  useEffect(() => {
    isFollowing.current = resetKey !== null;
    setScrolledAway(false);
    if (resetKey !== null) scrollToEnd();
  }, [resetKey, scrollToEnd]);

  useEffect(() => {
    const { current: outer } = scroller;
    const { current: inner } = content;
    if (!outer || !inner) return;
    let height = outer.scrollHeight;
    // Content may have grown or shrunk since the last event: near the end by either height counts.
    const isNear = () => Math.min(height, outer.scrollHeight) - outer.scrollTop - outer.clientHeight < NEAR_END_PX;
    const onScroll = () => {
      const near = isNear();
      height = outer.scrollHeight;
      if (resetKey === null) return;
      isFollowing.current = near;
      setScrolledAway(!near);
    };
    const observer = new ResizeObserver(() => {
      height = outer.scrollHeight;
      if (isFollowing.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(outer);
    outer.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener("scroll", onScroll);
    };
  }, [scroller, content, resetKey]);

  return { isScrolledAway, scrollToEnd };
}
