import { naturalWords } from '../search/natural-words.ts';

const words = (text: string) => text.split(' ');

const frequent = 6_000;
const minLength = 3;

/** Real words for OCR, which leans on dictionaries, by the names of Tesseract's languages. */
export const printedWords: Record<string, string[]> = {
  eng: naturalWords
    .slice(0, frequent)
    .map(({ word }) => word)
    .filter((word) => word.length >= minLength),
  deu: words(
    'Abholung Änderung Anlage Ansprüche Auftrag außerdem Bahnhof bedürfen Bestätigung Betrag Brücke Büro Dachstuhl dürfen Eigentümer Einkäufe Empfänger Erklärung Fälligkeit Fenster Frist für Fußboden Garten Gebäude gegenüber Gemüse geöffnet Geschäft gewähren Grundstück gültig Hälfte Händler häufig Heizung Höhe Jahre jährlich Käufer Keller Kündigung künftig Küche Lager längstens Lieferung Löhne Mängel März Maßnahme Miete möglich mündlich Nachfrist nächste Öffnung Ordnung persönlich Pflicht Prüfung Quittung Rechnung Reparatur Rückgabe Sätze schließlich Schlüssel schriftlich Schulden Strafe Straße Stück täglich Teppich Termin Treppe über Übergabe Unterschrift unverzüglich Vergütung Verkäufer Verträge Vollmacht Vorschuss während Währung Wärme Werkstatt Wohnung wöchentlich Wünsche zahlbar Zählerstand Zeuge Zimmer zuständig Zustimmung zwölf',
  ),
  fra: words(
    'accord achat adresse année apposé après assurée atelier bâtiment bénéfice besoin bureau cadre caisse chaîne château chauffage clé client commande compte conclu contrôle côté créance décembre déclaré délai dépôt dès devis domicile donnée dossier échéance école écrit également éléments émission énergie entrée envoyé époque équipe espèces étage état étranger exécution façade facture fenêtre février fête forêt fournisseur frais garçon gérant goûter grâce hiver honoraires hôtel huissier impôt intérêt jardin journée juillet justifié lettre livraison loyer maçon magasin maître marché matériel même meubles montant mûr notaire nécessaire numéro œuvre papier paiement pièce plâtre poste préavis prêt procès quantité quatrième reçu réduction règlement réparation réservé salarié séjour signé société soirée sûreté tâche témoin toit travaux trésor usine vendeur vérifié virement voisin',
  ),
  spa: words(
    'abogado acción acuerdo adiós alquiler almacén año anexo árbol artículo ascensor atención avería banco barrio calefacción cálculo calle cañón carretera cédula cerámica ciudad cliente cobro código comercio compañía comprador condición cónyuge cuantía cuenta daño débito decisión demás depósito después devolución diciembre dirección dueño duración edificio ejército embalaje empresa enero entrega época escritura español estación expedición fábrica factura fecha firma fontanería fórmula garantía gestión habitación herencia hipoteca ingreso íntegro jamás jardín jueves juzgado límite llave lluvia mañana máquina médico mercancía montaña mueble música niño notario número obligación oficina orden página pago párrafo pedido pensión pequeño plazo población póliza préstamo próximo puerta quiebra razón recibo relación reparación sábado salón según señor sesión sueño suministro también técnico teléfono tercero título último vacío válido vehículo vendedor viernes vivienda',
  ),
};
