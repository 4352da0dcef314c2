import { createContext } from "react";

/** What numbers in brackets stand for: how many passages were sent, and what shows one. */
export type Citations = { count: number; show(number: number): void };

/** The passages of the answer that is rendered; null for one without. */
export const CitationsContext = createContext<Citations | null>(null);
