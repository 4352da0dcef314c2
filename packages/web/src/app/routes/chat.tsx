import { ChatView } from "#/features/chat/chat-view.tsx";

export default function ChatPage() {
  return <ChatView />;
}
