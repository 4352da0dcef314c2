import { t } from "@lingui/core/macro";
import { z } from "zod";
import { count } from "#/lib/format.ts";

/** Rules of fields, which hold texts as they were typed. An empty text is nothing. */

export const words = (field: string, { min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .refine((value) => value.trim().length >= min, {
      error: min <= 1 ? t`${field} is not valid.` : t`${field} needs at least ${min} characters.`,
    })
    .max(max, { error: t`${field} may have at most ${max} characters.` });

export const optionalWords = (field: string, max: number) =>
  z.string().max(max, { error: t`${field} may have at most ${max} characters.` });

type Range = { min: number; max: number };
const isWhole = (value: string): boolean => /^-?\d{1,15}$/.test(value.trim().replaceAll(",", ""));

export const whole = (field: string, { min, max }: Range) =>
  z.string().refine((value) => isWhole(value) && inRange(value, { min, max }), {
    error: t`${field} is not valid: a whole number from ${count(min)} to ${count(max)}.`,
  });

export const optionalWhole = (field: string, range: Range) =>
  z.string().refine((value) => value.trim() === "" || (isWhole(value) && inRange(value, range)), {
    error: t`${field} is not valid: a whole number from ${count(range.min)} to ${count(range.max)}, or nothing.`,
  });

function inRange(value: string, { min, max }: Range): boolean {
  const number = numberOf(value);
  return number !== null && number >= min && number <= max;
}

/** The number of a text; null for nothing. */
export function numberOf(value: string): number | null {
  const text = value.trim().replaceAll(",", "");
  return text === "" ? null : Number(text);
}

/** A text, or null for nothing. */
export const textOf = (value: string): string | null => (value.trim() === "" ? null : value.trim());

/** One entry a line or between commas, each once. */
export function entriesOf(value: string): string[] {
  return [...new Set(value.split(/[\n,]/).map((entry) => entry.trim()))].filter(Boolean);
}

/** Moments as the browser's fields hold them, in UTC. */
export const moment = (field: string) =>
  z.string().refine((value) => value === "" || momentOf(value) !== null, { error: t`${field} is not valid.` });

export function momentOf(value: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(value)) return null;
  const date = new Date(`${value.length === 16 ? `${value}:00` : value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

export const momentText = (date: Date | null): string => (date === null ? "" : date.toISOString().slice(0, 16));
