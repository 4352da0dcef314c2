import { type RefObject, useEffect, useState } from "react";

/** Returns true once an element has come within `margin` of the viewport; it never goes back to false. */
export function useNearViewport(element: RefObject<Element | null>, margin = "300px"): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      {
        rootMargin: margin,
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, margin]);
  return isNear;
}
