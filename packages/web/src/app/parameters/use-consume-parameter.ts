import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { extractParameter } from "./query-parameter.ts";

/**
 * Calls back with the value of a query parameter when it appears in the URL, and moves it from the URL to the state of the
 * location, where the page finds it.
 */
export function useConsumeParameter(name: string, onValue: (value: string) => void): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address matters
  useEffect(() => {
    const { value, rest } = extractParameter(search, name);
    if (value === null) return;
    onValue(value);
    navigate(`${pathname}${rest}${hash}`, { replace: true, state: { ...state, [name]: value } });
  }, [search, name]);
}
