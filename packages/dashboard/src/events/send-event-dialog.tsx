export default function SendEventDialog(_: { onClose(): void; start: string | null }) {
  return null;
}
