import { t } from "@lingui/core/macro";
import { z } from "zod";
import { count } from "#/lib/format.ts";

/** A required text of `min` to `max` characters. Form fields hold strings as typed; an empty one means no value. */
export const words = (field: string, { min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .refine((value) => value.trim().length >= min, {
      error: min <= 1 ? t`${field} is not valid.` : t`${field} needs at least ${min} characters.`,
    })
    .max(max, { error: t`${field} may have at most ${max} characters.` });

/** A text of at most `max` characters, or empty. */
export const optionalWords = (field: string, max: number) =>
  z.string().max(max, { error: t`${field} may have at most ${max} characters.` });

type Range = { min: number; max: number };
const isWhole = (value: string): boolean => /^-?\d{1,15}$/.test(value.trim().replaceAll(",", ""));

/** A required integer within a range. */
export const whole = (field: string, { min, max }: Range) =>
  z.string().refine((value) => isWhole(value) && inRange(value, { min, max }), {
    error: t`${field} is not valid: a whole number from ${count(min)} to ${count(max)}.`,
  });

/** An integer within a range, or empty. */
export const optionalWhole = (field: string, range: Range) =>
  z.string().refine((value) => value.trim() === "" || (isWhole(value) && inRange(value, range)), {
    error: t`${field} is not valid: a whole number from ${count(range.min)} to ${count(range.max)}, or nothing.`,
  });

function inRange(value: string, { min, max }: Range): boolean {
  const number = numberOf(value);
  return number !== null && number >= min && number <= max;
}

/** Parses a number, ignoring thousands separators; null for an empty string. */
export function numberOf(value: string): number | null {
  const text = value.trim().replaceAll(",", "");
  return text === "" ? null : Number(text);
}

/** Returns the trimmed text; null if it is empty. */
export const textOf = (value: string): string | null => (value.trim() === "" ? null : value.trim());

/** Splits at lines and commas, without duplicates. */
export function entriesOf(value: string): string[] {
  return [...new Set(value.split(/[\n,]/).map((entry) => entry.trim()))].filter(Boolean);
}

/** A value of a `datetime-local` input, read as UTC, or empty. */
export const moment = (field: string) =>
  z.string().refine((value) => value === "" || momentOf(value) !== null, { error: t`${field} is not valid.` });

/** Parses the value of a `datetime-local` input as UTC; null if it is invalid. */
export function momentOf(value: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(value)) return null;
  const date = new Date(`${value.length === 16 ? `${value}:00` : value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Formats a date for a `datetime-local` input, in UTC; empty for null. */
export const momentText = (date: Date | null): string => (date === null ? "" : date.toISOString().slice(0, 16));
