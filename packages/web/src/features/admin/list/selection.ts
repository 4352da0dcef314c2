import { useState } from "react";

export type Selection = {
  ids: readonly string[];
  has(id: string): boolean;
  set(id: string, on: boolean): void;
  setAll(ids: readonly string[], on: boolean): void;
  clear(): void;
};

/** Rows that were chosen for something to be done with all of them. They stay chosen on other pages. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<readonly string[]>([]);
  const setAll = (some: readonly string[], on: boolean) =>
    setIds((now) => {
      const others = now.filter((id) => !some.includes(id));
      return on ? [...others, ...some] : others;
    });
  return {
    ids,
    has: (id) => ids.includes(id),
    set: (id, on) => setAll([id], on),
    setAll,
    clear: () => setIds([]),
  };
}
