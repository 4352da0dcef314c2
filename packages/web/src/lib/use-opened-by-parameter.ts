import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";

/** Whether a form is open, and how to open and close it. The query parameter `name` opens it, and is removed from the address. */
export function useOpenedByParameter(name: string): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const [params, setParams] = useSearchParams();
  const isRequested = params.has(name);
  useEffect(() => {
    if (!isRequested) return;
    setOpen(true);
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(name);
        return next;
      },
      { replace: true },
    );
  }, [isRequested, name, setParams]);
  return [isOpen, setOpen];
}
