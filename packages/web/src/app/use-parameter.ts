import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { takeParameter } from "./query-parameter.ts";

/** Calls back with the value of a query parameter when it appears in the URL, and removes it from the URL. */
export function useParameter(name: string, found: (value: string) => void): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address matters
  useEffect(() => {
    const { value, rest } = takeParameter(search, name);
    if (value === null) return;
    found(value);
    navigate(`${pathname}${rest}${hash}`, { replace: true, state });
  }, [search, name]);
}
