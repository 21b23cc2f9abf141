import { Center, SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const schemes = [
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'auto', label: 'Like the system', Icon: IconDeviceDesktop },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
] as const;
type Scheme = (typeof schemes)[number]['value'];

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <SegmentedControl<Scheme>
      fullWidth
      size="xs"
      bg="var(--surface-sunken)"
      aria-label="Colors"
      value={colorScheme}
      onChange={setColorScheme}
      data={schemes.map(({ value, label, Icon }) => ({
        value,
        label: (
          <Center title={label} py={2}>
            <Icon size={16} stroke={1.7} aria-hidden />
            <VisuallyHidden>{label}</VisuallyHidden>
          </Center>
        ),
      }))}
    />
  );
}
