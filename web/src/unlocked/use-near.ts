import { type RefObject, useEffect, useState } from 'react';

/** Of the window's height, above and below it. */
const margin = '150% 0px';

/** Whether something is on the screen, or soon will be. What goes away keeps its height, so that nothing jumps. */
export function useNear(of: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = of.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        // What one types into stays, wherever one scrolls.
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
