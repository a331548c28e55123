export function SettingsTab(_: { webhook: unknown; mayManage: boolean }) {
  return null;
}
