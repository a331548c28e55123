export default function CommandPalette(_: { onClose(): void }) {
  return null;
}
