export function FiltersTab(_: { webhook: unknown; mayManage: boolean }) {
  return null;
}
