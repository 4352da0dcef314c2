import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 80;

/**
 * Keeps the end in view as a text grows, unless the person has scrolled away from it. It goes there when `at` changes: with
 * another conversation, or another question; where `at` is null there is nothing to follow.
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
    // What has grown or shrunk since then moved nobody away: near by either height is near.
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
