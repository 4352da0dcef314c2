import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { storage, tabStorage } from "#/lib/browser/storage.ts";
import { feather } from "#/lib/feather.ts";
import { useToast } from "#/lib/toast.ts";
import { useAction } from "#/lib/use-action.ts";
import { clearUser, useUser } from "./user.ts";

/** Begins the name under which this browser remembers that the chats of a user are kept when they log out. */
const KEEP_CHATS_KEY = "keep-chats";
const toKeepKey = (userId: string): string => `${KEEP_CHATS_KEY}:${userId}`;

// Only who logs out needs the database.
const loadChatDatabase = () => import("./chat-database.ts");

/**
 * Returns a function that logs out. If this browser stores chats of the user, it asks whether to delete them, because
 * the next user of the browser could read them. If the user has once chosen to keep them here, it does not ask again; a
 * toast then says that the chats stay, and offers to be asked. A failure is shown in a toast, and the user stays signed
 * in.
 */
export function useLogOut(onLoggedOut: () => void = () => {}): () => Promise<void> {
  const client = useQueryClient();
  const confirm = useConfirm();
  const toast = useToast();
  const { user } = useUser();
  const { run: findChats } = useAction(async (owner: string) => {
    const { hasStoredChats, deleteStoredChats } = await loadChatDatabase();
    const found = await hasStoredChats(owner);
    if (!found) await deleteStoredChats(owner).catch(() => {}); // may still hold chats that could be restored
    return found;
  });
  const { run: endSession } = useAction(
    async ({ deletesChatsOf }: { deletesChatsOf: string | null }) => {
      // First, because after the log-out the user can neither see the chats nor try again.
      if (deletesChatsOf !== null) await (await loadChatDatabase()).deleteStoredChats(deletesChatsOf);
      await feather.auth.logout();
    },
    {
      onSuccess() {
        clearUser(client);
        tabStorage.clear(); // texts that the user has typed and not sent
        onLoggedOut();
      },
    },
  );

  return async function logOut(): Promise<void> {
    if (!user) return;
    const found = await findChats(user.id);
    if (found?.value === false) await endSession({ deletesChatsOf: null });
    if (!found?.value) return;
    const keepKey = toKeepKey(user.id);
    if (storage.get(keepKey) !== null) {
      if (await endSession({ deletesChatsOf: null }))
        toast({
          title: t`Your chats stay in this browser`,
          action: { label: t`Ask me next time`, run: () => storage.remove(keepKey) },
        });
      return;
    }
    confirm({
      title: t`Log out`,
      description: t`Your chats are stored only in this browser, and stay there when you log out: whoever uses it next could read them. Keep them only if the browser is yours alone; you are not asked here again then. Deleted chats cannot be restored.`,
      confirmButtonText: t`Delete chats and log out`,
      destructive: true,
      action: async () => void (await endSession({ deletesChatsOf: user.id })),
      alternative: {
        buttonText: t`Keep chats and log out`,
        action: async () => {
          if (await endSession({ deletesChatsOf: null })) storage.set(keepKey, "true");
        },
      },
    });
  };
}
