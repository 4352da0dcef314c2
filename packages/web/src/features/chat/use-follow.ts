import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 80;

/**
 * Keeps the end in view as a text grows, unless the person has scrolled away from it. It goes there when `at` changes: with
 * another conversation, or another question.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, at: string) {
  const following = useRef(true);
  const [away, setAway] = useState(false);
  const toEnd = useCallback(() => {
    const { current } = scroller;
    if (!current) return;
    following.current = true;
    setAway(false);
    current.scrollTop = current.scrollHeight;
  }, [scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked is at the end
  useEffect(() => toEnd(), [at, toEnd]);

  useEffect(() => {
    const { current: outer } = scroller;
    const { current: inner } = content;
    if (!outer || !inner) return;
    const onScroll = () => {
      const near = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR;
      following.current = near;
      setAway(!near);
    };
    // Only a person's move ends the following; what grows moves nothing.
    const observer = new ResizeObserver(() => {
      if (following.current) outer.scrollTop = outer.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(outer);
    outer.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener("scroll", onScroll);
    };
  }, [scroller, content]);

  return { away, toEnd };
}
