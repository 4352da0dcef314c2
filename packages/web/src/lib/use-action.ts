import { t } from "@lingui/core/macro";
import { type QueryClient, type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "./error-message.ts";
import { createIdempotencyKeys } from "./idempotency-keys.ts";
import { useToast } from "./toast.ts";

/** A write to the server. A call that may be repeated after a lost connection passes the idempotency key on. */
type Mutation<V, R> = (variables: V, options: { idempotencyKey: string }) => PromiseLike<R>;

/** The text of a toast. */
type Message = string | { title: string; description?: string };

type Options<V, R> = {
  /** Returns the text of the toast after a success. No toast is shown without it. */
  success?: (result: R, variables: V) => Message;
  /**
   * Returns a function that takes the action back, for a button in the toast; null where it cannot be taken back. `run`
   * runs the action itself.
   */
  undo?: (run: (variables: V) => void, variables: V, result: R) => (() => void) | null;
  /** The label of that button. Default: Undo. */
  undoLabel?: string;
  /** Keys of the queries that are loaded again afterwards, also after an error. */
  invalidates?: readonly QueryKey[] | ((result: R | undefined, variables: V) => readonly QueryKey[]);
  /** Puts the expected result into the cache before the server has answered. Returns a function that restores it. */
  optimistic?: (client: QueryClient, variables: V) => (() => void) | Promise<() => void>;
  /** Puts the result into the cache, or opens the next page. Runs before `invalidates`. */
  onSuccess?: (result: R, variables: V, client: QueryClient) => unknown;
  /** Runs after an error, besides showing it. */
  onError?: (error: unknown, variables: V) => unknown;
  /** Whether the caller shows `error`. Otherwise errors of `run` are shown in a toast. */
  showsError?: boolean;
  /** Returns the text of that toast. Without it, it is the one of `errorMessage`. */
  describeError?: (error: unknown, variables: V) => Message;
  /** Runs one after the other, with all actions that have the same scope. */
  scope?: string;
  /** Whether nothing can be run again after a success, for example while the page navigates away. */
  once?: boolean;
};

/** A write to the server and its state. */
export type Action<V, R> = {
  /**
   * Runs the action and shows its errors. Returns `{ value }`, or null if it failed. Does nothing while the same
   * input is being sent, so that a double click sends it once.
   */
  run(variables: V): Promise<{ value: R } | null>;
  /**
   * Runs the action for a form, which shows the errors itself: rejects with them. Returns the same promise while the same
   * input is being sent.
   */
  submit(variables: V): Promise<R>;
  busy: boolean;
  /** Whether the last run succeeded. */
  done: boolean;
  /** The variables of the last call. */
  variables: V | undefined;
  /** The error of the last run; null if it succeeded. */
  error: unknown;
  clearError(): void;
};

/**
 * Returns an action that writes to the server; pages write in no other way. It sends an idempotency key, which is sent
 * again when the call is repeated after an unknown outcome, shows the outcome in a toast with an undo, and refetches
 * changed data.
 */
export function useAction<V = void, R = unknown>(mutation: Mutation<V, R>, options: Options<V, R> = {}): Action<V, R> {
  const client = useQueryClient();
  const toast = useToast();
  const [keys] = useState(createIdempotencyKeys);
  const [running] = useState(() => new Map<string, Promise<R>>());

  const { mutateAsync, isPending, isSuccess, variables, error, reset } = useMutation<
    R,
    unknown,
    V,
    (() => void) | undefined
  >({
    async mutationFn(variables) {
      try {
        const result = await mutation(variables, { idempotencyKey: keys.keyFor(variables) });
        keys.settle(variables);
        return result;
      } catch (failure) {
        keys.settle(variables, failure);
        throw failure;
      }
    },
    // Passwords and secrets are not kept in the cache.
    gcTime: 0,
    onMutate: (variables) => options.optimistic?.(client, variables),
    onError: (failure, variables, restore) => {
      restore?.();
      return options.onError?.(failure, variables);
    },
    onSuccess: async (result, variables) => {
      showSuccess(result, variables);
      await options.onSuccess?.(result, variables, client);
    },
    onSettled: (result, _failure, variables) => invalidate(result, variables),
    ...(options.scope !== undefined && { scope: { id: options.scope } }),
  });

  function showSuccess(result: R, variables: V): void {
    const { success, undoLabel = t`Undo` } = options;
    if (!success) return;
    const undo = options.undo?.((inverse) => void run(inverse), variables, result) ?? null;
    toast({
      ...toToast(success(result, variables)),
      variant: "success",
      ...(undo && { action: { label: undoLabel, run: undo } }),
    });
  }

  async function invalidate(result: R | undefined, variables: V): Promise<void> {
    const { invalidates = [] } = options;
    const queryKeys = typeof invalidates === "function" ? invalidates(result, variables) : invalidates;
    await Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
  }

  const toInput = (variables: V): string => JSON.stringify(variables) ?? "";

  function submit(variables: V): Promise<R> {
    // Actions of one scope wait for each other, so that the same input may come twice, as in on, off, on.
    if (options.scope !== undefined) return mutateAsync(variables);
    const input = toInput(variables);
    const sent = running.get(input) ?? mutateAsync(variables);
    running.set(input, sent);
    const release = () => running.delete(input);
    sent.then(() => options.once || release(), release);
    return sent;
  }

  async function run(variables: V): Promise<{ value: R } | null> {
    if (running.has(toInput(variables))) return null;
    try {
      return { value: await submit(variables) };
    } catch (failure) {
      const describe = options.describeError ?? errorMessage;
      if (!options.showsError) toast({ ...toToast(describe(failure, variables)), variant: "destructive" });
      return null;
    }
  }

  return {
    run,
    submit,
    busy: isPending || (options.once === true && isSuccess),
    done: isSuccess,
    variables,
    error,
    clearError: reset,
  };
}

const toToast = (message: Message) => (typeof message === "string" ? { title: message } : message);
