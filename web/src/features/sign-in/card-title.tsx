import { Title } from '@mantine/core';
import { productName } from '../../ui/brand.tsx';

export function CardTitle({ children }: { children: string }) {
  return (
    <>
      <title>{`${children} · ${productName}`}</title>
      <Title order={1} size="h3">
        {children}
      </Title>
    </>
  );
}
