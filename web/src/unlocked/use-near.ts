import { type RefObject, useEffect, useState } from 'react';

/** Distance above and below the window, as a multiple of its height. */
const margin = '150% 0px';

/** Whether an element is near the visible area. Hidden elements keep their height, so that nothing jumps. */
export function useNear(of: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = of.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        // The element with the focus stays, wherever the user scrolls.
        const isUsed = element.contains(document.activeElement);
        if (!entry.isIntersecting && !isUsed) element.style.minHeight = `${element.offsetHeight}px`;
        setNear(entry.isIntersecting || isUsed);
      },
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return isNear;
}
