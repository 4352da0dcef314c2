import { t } from "@lingui/core/macro";
import { z } from "zod";
import { isDay } from "#/components/ui/date-range/days.ts";
import { formatCount } from "#/lib/format.ts";

/** A required text of `min` to `max` characters. Form fields hold strings as typed; an empty one means no value. */
export const requiredText = (field: string, { min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .refine((value) => value.trim().length >= min, {
      error: min <= 1 ? t`${field} is not valid.` : t`${field} needs at least ${min} characters.`,
    })
    .max(max, { error: t`${field} may have at most ${max} characters.` });

/** A text of at most `max` characters, or empty. */
export const optionalText = (field: string, max: number) =>
  z.string().max(max, { error: t`${field} may have at most ${max} characters.` });

type Range = { min: number; max: number };
const isInteger = (value: string): boolean => /^-?\d{1,15}$/.test(value.trim().replaceAll(",", ""));

/** A required integer within a range. */
export const requiredInteger = (field: string, { min, max }: Range) =>
  z.string().refine((value) => isInteger(value) && isInRange(value, { min, max }), {
    error: t`${field} is not valid: a whole number from ${formatCount(min)} to ${formatCount(max)}.`,
  });

/** An integer within a range, or empty. */
export const optionalInteger = (field: string, range: Range) =>
  z.string().refine((value) => value.trim() === "" || (isInteger(value) && isInRange(value, range)), {
    error: t`${field} is not valid: a whole number from ${formatCount(range.min)} to ${formatCount(range.max)}, or nothing.`,
  });

function isInRange(value: string, { min, max }: Range): boolean {
  const number = parseNumber(value);
  return number !== null && number >= min && number <= max;
}

/** Parses a number, ignoring thousands separators; null for an empty string. */
export function parseNumber(value: string): number | null {
  const text = value.trim().replaceAll(",", "");
  return text === "" ? null : Number(text);
}

/** Returns the trimmed text; null if it is empty. */
export const textOrNull = (value: string): string | null => (value.trim() === "" ? null : value.trim());

/** Splits at lines and commas, without duplicates. */
export function parseList(value: string): string[] {
  return [...new Set(value.split(/[\n,]/).map((entry) => entry.trim()))].filter(Boolean);
}

/** A date with its time such as `2026-12-31 09:00`, read as UTC, or empty. */
export const utcDateTime = (field: string) =>
  z.string().refine((value) => value === "" || parseUtcDateTime(value) !== null, {
    error: t`${field} is not valid: a day and a time such as 2026-12-31 09:00.`,
  });

/** Parses a date with its time as UTC; null if it is invalid. */
export function parseUtcDateTime(value: string): Date | null {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/.exec(value.trim()) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const date = new Date(`${day}T${time}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Formats a date with its time in UTC, as `parseUtcDateTime` reads it; empty for null. */
export const formatUtcDateTime = (date: Date | null): string =>
  date === null ? "" : date.toISOString().slice(0, 16).replace("T", " ");
