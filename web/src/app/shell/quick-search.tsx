export function QuickSearch({ onClose }: { onClose: () => void }) {
  return <button type="button" onClick={onClose} />;
}
